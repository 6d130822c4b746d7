/* The state of `lock-lite` in as few bytes as can be: sets are bits, an offset is WIDTH bits. */

#define WIDTH 2

byte alive;               /* a bit a consumer */
byte told;                /* a bit a consumer: a notification is under way to it */
byte view[CONSUMERS];     /* whom each has seen at its last rebalance */
byte held[CONSUMERS];     /* a bit a queue */
byte position[CONSUMERS]; /* an offset a queue, 0 where it is not held */
byte lock[QUEUES];        /* at the broker: a consumer's number and one more, or 0 */
byte committed;           /* an offset a queue */

#define BIT(n) (1 << (n))
#define HAS(set, n) (((set) >> (n)) & 1)
#define MASK(q) (((1 << WIDTH) - 1) << (WIDTH * (q)))

#define LIVES(c) HAS(alive, c)
#define TOLD(c) HAS(told, c)
#define HOLDS(c, q) HAS(held[c], q)
#define POSITION(c, q) ((position[c] >> (WIDTH * (q))) & ((1 << WIDTH) - 1))

#define BEGINS(c) alive = alive | BIT(c)
#define ENDS(c) alive = alive & ~BIT(c); view[c] = 0; held[c] = 0; position[c] = 0
#define TELLS_ALL told = alive
#define IS_TOLD(c) told = told & ~BIT(c)
#define SEES(c) view[c] = alive
#define TAKES(c, q) held[c] = held[c] | BIT(q); position[c] = (position[c] & ~MASK(q)) | (committed & MASK(q))
#define GIVES(c, q) held[c] = held[c] & ~BIT(q); position[c] = position[c] & ~MASK(q)
#define CONSUMES(c, q) position[c] = position[c] + (1 << (WIDTH * (q)))
#define SENDS(c, q) committed = (committed & ~MASK(q)) | (position[c] & MASK(q))
