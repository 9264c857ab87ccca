import type { Caller, Chat, RunContext } from "@pergola/sdk";
import type { InstructionService, Parts, SkillList } from "@pergola/sdk/host";
import type { ChosenSkills } from "./chosen-skills.ts";
import { InstructionFinder } from "./find-instructions.ts";
import { SaidWarnings } from "./said-warnings.ts";
import { chosenPart, instructionsPart, skillsPart, type Rendered } from "./system-text.ts";

/** A model can open the file of a skill. */
const canRead = ({ tools }: Chat): boolean =>
  tools.some(({ name, callers, operations }) => {
    if (name !== "file_operations" || callers === true) return false;
    return operations === undefined || operations.some((operation) => operation.name === "read_file");
  });

/** An agent with tools of its own alone reads the instructions of its folder itself. */
const isCallersOwn = ({ tools }: Chat): boolean =>
  tools.length > 0 && tools.every(({ callers }) => callers === true);

/** What a run is given. */
export interface RunInstructions {
  readonly chat: Chat;
  /** Of the skills that the model is told of: absolute paths. */
  readonly skillPaths: readonly string[];
}

/** Instructions and skills: of the person, and of folders that they trust. */
export class Instructions implements InstructionService {
  readonly #parts: Parts;
  readonly #finder: InstructionFinder;
  readonly #said = new SaidWarnings();

  constructor(parts: Parts) {
    const { home, environment, clock } = parts;
    this.#parts = parts;
    this.#finder = new InstructionFinder({ home, environment }, () => clock.now());
  }

  async skills(workingDirectory: string | undefined, caller: Caller): Promise<SkillList> {
    if (workingDirectory !== undefined)
      await this.#parts.conversations.checkWorkingDirectory(workingDirectory, caller);
    const { skills, warnings } = await this.#finder.find(workingDirectory);
    const listed = skills.map(({ name, description, path, own, isListed }) => ({
      name,
      description,
      path,
      own,
      modelInvocation: isListed,
    }));
    return { skills: listed, warnings };
  }

  /** Adds to the system text of a run what holds in its working directory. */
  async shape(chat: Chat, context: RunContext, called: ChosenSkills): Promise<RunInstructions> {
    if (isCallersOwn(chat)) return { chat, skillPaths: [] };
    const { contextWindow } = context.model;
    const found = await this.#finder.find(context.workingDirectory);
    const listed = canRead(chat) ? found.skills.filter(({ isListed }) => isListed) : [];
    const chosen = await called.of(context, found.skills);
    const parts = [
      instructionsPart(found.texts, contextWindow),
      skillsPart(listed, contextWindow),
      chosenPart(chosen, contextWindow),
    ];
    const warnings = [...found.warnings, ...parts.flatMap(roomWarnings)];
    for (const warning of this.#said.fresh(context.conversation.id, warnings)) context.warn(warning);
    const texts = parts.map(({ text }) => text).filter((text) => text !== "");
    return {
      chat: texts.length === 0 ? chat : { ...chat, system: [...chat.system, ...texts] },
      skillPaths: canRead(chat) ? found.skills.map(({ path }) => path) : [],
    };
  }

  forget(conversationId: string): void {
    this.#said.forget(conversationId);
  }
}

const roomWarnings = ({ leftOut }: Rendered): readonly string[] =>
  leftOut.map((path) => `${path} is left out: there is too much of its kind for the model's context.`);
