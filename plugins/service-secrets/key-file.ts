import { randomBytes } from "node:crypto";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@pergola/sdk";
import type { SecretHost } from "@pergola/sdk/host";

const keyBytes = 32;
const fileName = "secret.key";

type Places = Pick<SecretHost, "configurationDirectory" | "credentialsDirectory">;

/** The key that opens the file of secrets: handed over by systemd, or the person's own. */
export class KeyFile {
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  get path(): string {
    return path.join(this.#places.configurationDirectory, fileName);
  }

  /** Rejects with AppError `storage_unavailable` where there is none, or none that may be used. */
  async read(): Promise<Uint8Array> {
    const key = await this.#find();
    if (key !== undefined) return key;
    throw unusable(
      `The key of the stored secrets, ${this.path}, is missing. Restore it from a backup, or set the ` +
        "secrets again with `pergola secrets set`.",
    );
  }

  /** The same, and a new one where there was none. */
  async readOrMake(): Promise<Uint8Array> {
    const key = await this.#find();
    if (key !== undefined) return key;
    await mkdir(path.dirname(this.path), { recursive: true, mode: 0o700 });
    const text = `${randomBytes(keyBytes).toString("base64")}\n`;
    // Two that begin at once: the first one's key is the key.
    await writeFile(this.path, text, { flag: "wx", mode: 0o600 }).catch(unlessCode("EEXIST"));
    return this.read();
  }

  async #find(): Promise<Uint8Array | undefined> {
    const { credentialsDirectory } = this.#places;
    const handed = credentialsDirectory && path.join(credentialsDirectory, fileName);
    const bytes = (handed && (await readIfThere(handed))) || (await this.#readOwn());
    return bytes && keyIn(bytes, handed ?? this.path);
  }

  async #readOwn(): Promise<Buffer | undefined> {
    const bytes = await readIfThere(this.path);
    if (bytes === undefined || process.platform === "win32") return bytes;
    const { mode } = await stat(this.path);
    if ((mode & 0o077) === 0) return bytes;
    throw unusable(
      `Others can read ${this.path}, the key of the stored secrets. Run \`chmod 600 ${this.path}\`, and ` +
        "replace the secrets where they were made if somebody may have read them.",
    );
  }
}

const unusable = (message: string): AppError => new AppError({ code: "storage_unavailable", message });

const unlessCode =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code === code) return undefined;
    throw error;
  };

const readIfThere = (file: string): Promise<Buffer | undefined> => readFile(file).catch(unlessCode("ENOENT"));

/** 32 bytes as they are, or in base64. */
function keyIn(bytes: Buffer, file: string): Uint8Array {
  if (bytes.length === keyBytes) return bytes;
  const key = Buffer.from(bytes.toString("latin1").trim(), "base64");
  if (key.length === keyBytes) return key;
  throw unusable(`${file} holds no key of ${keyBytes} bytes. Restore it from a backup.`);
}
