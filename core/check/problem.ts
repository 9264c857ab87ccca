/** Something that is wrong with a plugin, and what its author can do about it. */
export interface Problem {
  readonly message: string;
  readonly remedy: string;
}
