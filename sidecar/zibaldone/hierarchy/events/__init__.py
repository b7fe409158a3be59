"""From passages to events: sentences -> what each says happened (by words, meaning, the model) -> when, who -> events.

`extract` is the order. Pure: the vectors of the sentences and the model's opinion of the doubtful ones are arguments.
"""
