import { AppError, didYouMean, KeyedQueue, type Caller, type JsonObject } from "@pergola/sdk";
import type { Bench } from "./bench.ts";

const key = "tools.disabled";

/** Tool families switched on and off while the host runs; two switches at once undo nothing of each other. */
export class Switches {
  readonly #bench: Bench;
  readonly #turns = new KeyedQueue();

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  async enable(
    name: string,
    enabled: boolean,
    of: { readonly conversationId?: string | undefined; readonly caller: Caller },
  ): Promise<void> {
    const { toolbox, preferences } = this.#bench;
    const message = `There is no tool family "${name}".${didYouMean(name, new Set(toolbox.names))}`;
    if (!toolbox.isFamily(name)) throw new AppError({ code: "not_found", message });
    const { conversationId, caller } = of;
    if (conversationId === undefined) await preferences.update(() => this.#forAll(name, enabled), caller);
    else await this.#turns.run(conversationId, () => this.#forOne(name, enabled, conversationId, caller));
  }

  /**
   * The preference as it is to be: null once it says nothing but the default, so that the wishes of families
   * to come count.
   */
  #forAll(name: string, enabled: boolean): JsonObject {
    const { toolbox, preferences } = this.#bench;
    const others = preferences.get<readonly string[]>(key).filter((each) => !toolbox.isFamily(each));
    const off = toolbox.names.filter((each) => !toolbox.enabled(each, { [name]: enabled }, undefined));
    const disabled = [...others, ...off];
    const usual = toolbox.usuallyOff;
    const isUsual = usual.length === disabled.length && usual.every((each) => disabled.includes(each));
    return { [key]: isUsual ? null : disabled };
  }

  async #forOne(name: string, enabled: boolean, conversationId: string, caller: Caller): Promise<void> {
    const { conversations } = this.#bench;
    const { settings } = await conversations.get(conversationId);
    await conversations.update(
      conversationId,
      { settings: { toolOverrides: { ...settings.toolOverrides, [name]: enabled } } },
      caller,
    );
  }
}
