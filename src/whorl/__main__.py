"""`python -m whorl` is `whorl`."""

from whorl.cli.main import main

if __name__ == "__main__":
    main()
