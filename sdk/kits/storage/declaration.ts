/** A declaration that the worker has to hear of once; again when it could not be carried out. */
export class Declaration {
  #sent = false;

  /** There is something new to declare. */
  renew(): void {
    this.#sent = false;
  }

  send(ask: () => Promise<void>): void {
    if (this.#sent) return;
    this.#sent = true;
    // The requests that follow fail with the same reason, so nobody needs to hear it from here.
    ask().catch(() => this.renew());
  }
}
