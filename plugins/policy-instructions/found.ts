/** A text of instructions. */
export interface InstructionText {
  /** An absolute path. */
  readonly path: string;
  readonly text: string;
}

/** A skill in force. */
export interface FoundSkill {
  readonly name: string;
  readonly description: string;
  /** Of its `SKILL.md`: an absolute path. */
  readonly path: string;
  /** The person's own; else of a folder that is trusted with exactly these bytes. */
  readonly own: boolean;
  /** Models are told of it; otherwise only a person calls it. */
  readonly isListed: boolean;
  readonly body: string;
  /** SHA-256 of its `SKILL.md`. */
  readonly digest: string;
}

/** What one folder brings. */
export interface Found {
  readonly texts: readonly InstructionText[];
  readonly skills: readonly FoundSkill[];
  /** What is not used, why, and what to do. */
  readonly warnings: readonly string[];
}
