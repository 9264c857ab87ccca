/**
 * What the symbol `total` (or what `others` says instead) is in each file of `samples/`: the number of a
 * line, then a letter for each usage on it from left to right: d definition, c call, e declaration, r
 * reference. A line that is not named has none.
 */
export const expectedUsages: Readonly<Record<string, string>> = {
  "orders.ts": "1r 2e 6e 7e 11d 12e 13e 14e 15rrrc 19e 20d 21d 22cr 25e 26dc 27rer 28c 29r",
  "view.tsx": "1r 4ee 6c 8rr 9r 10r",
  "orders.js": "1d 2d 6d 7dr 8d 11dd 12ccr 15rr 16dr 17cer 18c",
  "orders.py": "2rr 3re 6r 7d 9der 10dc 11cr 13r 14e 15cr 18d 19d 20rdr 21d 24d 26r 28er 29d 31r 32d 34r",
  "orders.go": "4e 6d 7d 11eer 14d 16rdre 17dcr 18d 19rc 21d 22r 23c 25r 26rr 29errr",
  "orders.rs": "2rr 3r 4e 6d 9e 10e 14d 15drc 16d 17dcr 18c 20c 21err 25dcr 26d 27err 28dr",
  "Orders.java": "1r 3r 6er 7d 8e 9der 10drrc 11cc 12rer 13dc 14dr 15dr 19ec 20d 21de 22e",
  "orders.c": "3d 4cr 5e 6ddr 7rd 8e 9ee 11dr 12dr 13rc 14cr 17d 18d",
  "orders.cpp": "4e 5d 6er 8r 9e 10ee 11d 12d 15d 17rde 18d 19dcr 20rc 21rer 22cc 24dd",
  "Orders.cs": "1e 2r 7er 9d 10d 11d 12e 13decrc 14d 15d 16dc 17drc 18cr 19err 22e 23d 24de 25d",
  "orders.rb": "5d 7der 8dcc 9cc 10er 13d 15d 16d 17r 20dr 21r 22c 24d",
  "orders.php": "3d 5r 6r 9r 11r 12d 13d 14e 15derr 17drc 18drrc 19dcr 20errrcr 23e 24d 25cc 26re",
  "orders.sh": "3d 4d 5rr 7c 8c 9dc",
  "places.ts": "1d 2ddd 3ded 4dd 5ddddr 6dd 7dddee 8dddddd 9eeee 10eeee 11eree 12ccc 13ddddd",
  "places.js": "1d 2d 3eee 4eeeee 5dd",
  "places.py": "1de 2d 4d 5d 6eee 7e 8c 9dd",
  "places.go": "1e 2d 3d 4de 5d 6c 7c 8r 9c",
  "places.rs": "1dddddd 2dee 3eer 4d 5d 6dddddd 7d 8c 10ee",
  "Places.java": "1ddddddd 2e 3eerc 4d",
  "places.c": "1d 2e",
  "types.c": "1d 2rr",
  "places.cpp": "1ddededdd 2d 3d 4ec 5ddd 6eeee 7rdcc",
  "Places.cs": "1d 2dddd 3de 4dde 5dddr 6cd 7dddd",
  "places.rb": "1d 3d 4d 6e 7eeeee 8dd",
  "constants.rb": "1d 2d 3rr 4rr 5d 6r 7c",
  "places.php": "2deedrdd 3ddddd 4e 5ecrrrc",
  "places.sh": "1e",
  "styles.css": "1d 2de 3dd 4r 5rc 6r",
  "orders.ps1": "1dd 2c 5d 6d 7rdr 9rc 10rc",
  "settings.ini": "3r",
  "Orders.kt": "4d 5dc 8r 10c",
};

const others: Readonly<Record<string, string>> = { "constants.rb": "Total", "types.c": "size_t" };

export const symbolIn = (file: string): string => others[file] ?? "total";
