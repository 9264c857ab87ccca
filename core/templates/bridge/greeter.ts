/** The other side. A real bridge connects to a server here, and asks it for what it offers. */
export class Greeter {
  readonly #greetings: readonly string[];

  constructor(greetings: readonly string[]) {
    this.#greetings = greetings;
  }

  async list(): Promise<readonly string[]> {
    return this.#greetings;
  }

  async greet(greeting: string, name: string): Promise<string> {
    return `${greeting.replaceAll("_", " ")}, ${name}!`;
  }
}
