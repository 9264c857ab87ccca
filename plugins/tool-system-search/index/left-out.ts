/**
 * Folders that programs fill and nobody searches. Hidden ones (`.git`, `.cache`, `.ssh`) are left out too.
 */
export const leftOutFolders: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "__pycache__",
  "site-packages",
  "lost+found",
  "$RECYCLE.BIN",
  "System Volume Information",
]);

/** A folder that holds one of these is a cache (bford.info/cachedir) or an environment that was installed. */
export const leftOutMarkers: readonly string[] = ["CACHEDIR.TAG", "pyvenv.cfg"];

/** Folders below the home that hold programs' own data. A root below one of them is searched all the same. */
export const leftOutBelowHome: readonly string[] = ["Library", "AppData", "snap"];

/** Files that hold keys and passwords are found by name, but never read. */
const keyFiles =
  /(?<![a-z])(id_(rsa|dsa|ecdsa|ed25519)|credentials?|secrets?|passwords?|authinfo|shadow|wallet)(?![a-z])/i;
const keyEnds: ReadonlySet<string> = new Set(
  (
    "pem key p12 pfx p8 jks keystore kdb kdbx ppk gpg pgp asc " +
    "ovpn env agilekeychain opvault 1pif keytab jwk"
  ).split(" "),
);

/** Whether a file, by its name, may hold keys or passwords. */
export const isKeyFile = (name: string, extension: string): boolean =>
  keyEnds.has(extension) || keyFiles.test(name);
