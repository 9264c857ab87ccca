import type { Caller } from "./run.ts";

/** A skill: a folder with instructions for tasks of a kind, in the form of agentskills.io. */
export interface Skill {
  /** A message of the person that begins with `/` and this name calls it. */
  readonly name: string;
  /** What it is for, and when to use it. */
  readonly description: string;
  /** Of its `SKILL.md`: an absolute path. */
  readonly path: string;
  /** The person's own; else of a folder that is trusted with exactly these bytes. */
  readonly own: boolean;
  /** Models are told of it; otherwise only a person calls it. */
  readonly modelInvocation: boolean;
}

/** Skills by name, and what is not in force, why, and what to do. */
export interface SkillList {
  readonly skills: readonly Skill[];
  readonly warnings: readonly string[];
}

/** Instructions and skills: of the person, and of folders that they trust. */
export interface InstructionService {
  /**
   * Those in force for a working directory, an absolute path, as they are now; without one the person's own.
   * Rejects with `invalid_value` for a folder in which the caller may not work.
   */
  skills(workingDirectory: string | undefined, caller: Caller): Promise<SkillList>;
}
