#!/usr/bin/env python3
"""bench/service.py with requests at a constant rate, a third of what the service can answer.  service_constant.py [ROUNDS]"""
from service import main

if __name__ == "__main__":
    main(constant=True)
