import nets.small
import nets.wide
