"""Dates and tasks: entries of the notes -> their day -> what is overdue, today and to come; a line for a new one."""
