from nagini_echis import main

main()
