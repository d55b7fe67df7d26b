def shifted(entry, by):
    return entry["value"].sub(by)


def halved(entry):
    return entry["value"].div(2)
