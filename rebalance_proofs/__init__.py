"""The one name that an installation brings; its packages are links to the folders beside this one."""
