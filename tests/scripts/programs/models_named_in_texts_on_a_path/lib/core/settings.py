settings = {"NAME": "small", "WIDTH": 4, "STEPS": 3}
