/* The model `lock-lite` (spark_enum/explorer/models/lock_lite.py) for SPIN, written on its own.

   To be compiled with -DCONSUMERS=1..3 -DQUEUES=1..4 -DMESSAGES=1..3, and -DPLAIN or not. There is one process with one loop,
      and each action is one d_step: so SPIN has one state for each state of the group. Auxiliary variables of a step are
      hidden, and so in no state. Nothing reads the consumers' views: `spin -o2` keeps them all the same. */

#if CONSUMERS < 1 || CONSUMERS > 3 || QUEUES < 1 || QUEUES > 4 || MESSAGES < 1 || MESSAGES > 3
#error there is no model of so many
#endif

#if CONSUMERS == 1
#define ALL_MEMBERS(does, c) does(c, 0)
#define EVERYONE(does) does(0)
#elif CONSUMERS == 2
#define ALL_MEMBERS(does, c) does(c, 0); does(c, 1)
#define EVERYONE(does) does(0) does(1)
#else
#define ALL_MEMBERS(does, c) does(c, 0); does(c, 1); does(c, 2)
#define EVERYONE(does) does(0) does(1) does(2)
#endif

#if QUEUES == 1
#define ALL_QUEUES(does, c) does(c, 0)
#define EACH_QUEUE(does, c) does(c, 0)
#elif QUEUES == 2
#define ALL_QUEUES(does, c) does(c, 0); does(c, 1)
#define EACH_QUEUE(does, c) does(c, 0) does(c, 1)
#elif QUEUES == 3
#define ALL_QUEUES(does, c) does(c, 0); does(c, 1); does(c, 2)
#define EACH_QUEUE(does, c) does(c, 0) does(c, 1) does(c, 2)
#else
#define ALL_QUEUES(does, c) does(c, 0); does(c, 1); does(c, 2); does(c, 3)
#define EACH_QUEUE(does, c) does(c, 0) does(c, 1) does(c, 2) does(c, 3)
#endif

#ifdef PLAIN
#include "plain.pml"
#else
#include "packed.pml"
#endif

hidden byte living; /* how many live, */
hidden byte before; /* and how many of them come before the one who rebalances */
hidden byte first;  /* the queue with which its share begins, */
hidden byte end;    /* and the one that comes after it */

#define COUNTS(d) living = living + LIVES(d);
#define COMES_BEFORE(c, d) before = before + (d < c && LIVES(d))

/* AllocateMessageQueueAveragely, of those who live, in the order of their numbers: the first ones have one more. */
inline averagely(c) {
	living = 0;
	before = 0;
	EVERYONE(COUNTS)
	ALL_MEMBERS(COMES_BEFORE, c);
	first = before * (QUEUES / living) + (before < QUEUES % living -> before : QUEUES % living);
	end = first + QUEUES / living + (before < QUEUES % living -> 1 : 0)
}

#define OWN(q) (first <= (q) && (q) < end)

inline unlocks(c, q) {
	if
	:: lock[q] == c + 1 -> lock[q] = 0
	:: else
	fi
}

inline leaves(c, q) {
	if
	:: HOLDS(c, q) -> SENDS(c, q)
	:: else
	fi;
	unlocks(c, q)
}

inline rebalances(c, q) {
	if
	:: HOLDS(c, q) && !OWN(q) ->
		SENDS(c, q);
		GIVES(c, q);
		unlocks(c, q)
	:: !HOLDS(c, q) && OWN(q) && (lock[q] == 0 || lock[q] == c + 1) ->
		lock[q] = c + 1;
		TAKES(c, q)
	:: else
	fi
}

#define OF_A_QUEUE(c, q) \
	:: d_step { HOLDS(c, q) && POSITION(c, q) < MESSAGES -> CONSUMES(c, q) } \
	:: d_step { HOLDS(c, q) -> SENDS(c, q) } \
	:: d_step { lock[q] == c + 1 && !LIVES(c) -> lock[q] = 0 }

#define OF_A_CONSUMER(c) \
	:: d_step { !LIVES(c) -> BEGINS(c); TELLS_ALL } \
	:: d_step { LIVES(c) -> ALL_QUEUES(leaves, c); ENDS(c); TELLS_ALL } \
	:: d_step { LIVES(c) -> ENDS(c); IS_TOLD(c) } \
	:: d_step { TOLD(c) -> IS_TOLD(c) } \
	:: d_step { LIVES(c) -> averagely(c); ALL_QUEUES(rebalances, c); SEES(c); IS_TOLD(c) } \
	EACH_QUEUE(OF_A_QUEUE, c)

active proctype group() {
	do
	EVERYONE(OF_A_CONSUMER)
	od
}
