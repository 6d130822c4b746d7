"""One page for each state machine: state, actions, clients, assumptions, guarantees."""
