"""Reports about runs of a machine, a declared model of client and broker code.

A machine has state variables and actions. A run is a sequence of actions, such as a claim's counterexample. A machine
can have several copies, such as two consumers. Texts come from the machine's declaration.
"""
