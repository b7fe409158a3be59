"""What a person types, read: operators, times, comparisons. Pure, and no text raises.

`syntax` parts the operators from the words; `times` and `comparisons` read the words that are left. What differs from
language to language is in `languages.toml`; to add a language is to add its table there.
"""
