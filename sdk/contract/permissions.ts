/** What a plugin may reach through the door; what is absent is nothing. */
export interface Permissions {
  readonly network?: readonly string[] | "any";
  readonly files?: "none" | "workspace" | "any";
  readonly processes?: readonly string[] | "any";
  /** Secret preferences of its own. */
  readonly secrets?: readonly string[];
  /** Of its process, where it runs in one: memory, and space for temporary files in `/tmp`. */
  readonly memoryMegabytes?: number;
  readonly scratchMegabytes?: number;
}
