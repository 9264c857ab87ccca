/** The part of the DOM that reading needs; the platform's own types are those of browsers. */
export interface PageElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  remove(): void;
}

export interface PageDocument extends Pick<PageElement, "querySelector" | "querySelectorAll"> {
  readonly documentElement: PageElement;
}
