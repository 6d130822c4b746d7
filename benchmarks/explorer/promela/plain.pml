/* The state of `lock-lite` in the obvious form: a variable for each fact. */

#define PAIR(c, q) ((c) * QUEUES + (q))

bool alive[CONSUMERS];
bool told[CONSUMERS];                   /* a notification is under way to it */
bool view[CONSUMERS * CONSUMERS];       /* whom each has seen at its last rebalance */
bool held[CONSUMERS * QUEUES];
byte position[CONSUMERS * QUEUES];      /* an offset, 0 where the queue is not held */
byte lock[QUEUES];                      /* at the broker: a consumer's number and one more, or 0 */
byte committed[QUEUES];

#define LIVES(c) alive[c]
#define TOLD(c) told[c]
#define HOLDS(c, q) held[PAIR(c, q)]
#define POSITION(c, q) position[PAIR(c, q)]

#define NOT_SEEN(c, d) view[(c) * CONSUMERS + (d)] = false
#define SEEN(c, d) view[(c) * CONSUMERS + (d)] = alive[d]
#define TELL(c, d) told[d] = alive[d]

#define BEGINS(c) alive[c] = true
#define ENDS(c) alive[c] = false; ALL_MEMBERS(NOT_SEEN, c); ALL_QUEUES(GIVES, c)
#define TELLS_ALL ALL_MEMBERS(TELL, 0)
#define IS_TOLD(c) told[c] = false
#define SEES(c) ALL_MEMBERS(SEEN, c)
#define TAKES(c, q) held[PAIR(c, q)] = true; position[PAIR(c, q)] = committed[q]
#define GIVES(c, q) held[PAIR(c, q)] = false; position[PAIR(c, q)] = 0
#define CONSUMES(c, q) position[PAIR(c, q)]++
#define SENDS(c, q) committed[q] = position[PAIR(c, q)]
