"""Parts of libraries on top of torch, written with torch: what programs use of them is defined in these programs, and translated.

Names, parameters and first values are the library's. What stands behind a star in a signature is an option: where no call of a
program gives it, the definition that the program gets has its default and no such parameter.
"""
