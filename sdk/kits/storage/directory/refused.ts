/**
 * The store cannot be used as it is; nothing was changed in it. `message` names file and reason, `remedy` the
 * next step.
 */
export class Refused extends Error {
  readonly remedy: string;

  constructor(file: string, reason: string, remedy: string, cause?: unknown) {
    super(`${file} ${reason}`, { cause });
    this.remedy = remedy;
  }
}
