# also: nnx, linen
# Models with running statistics that functions of one file make and objects of another one give, used in a third file.
from use import main

main()
