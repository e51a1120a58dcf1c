"""The evening at the table: the loop, its clock, its journal and its devices."""
