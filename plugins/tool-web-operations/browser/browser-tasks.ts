/** A page as its server sent it, and the command line of a walled-in browser that runs its scripts. */
export interface RenderAsk {
  /** An executable file that takes a browser's arguments. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where the page was in the end: the browser does not follow redirects. */
  readonly url: string;
  readonly html: string;
  readonly screenshot: boolean;
}

export interface Rendered {
  /** Where the page's scripts have led to. */
  readonly url: string;
  readonly html: string;
  /** JPEG of what shows at first. */
  readonly screenshot?: Uint8Array;
}

/** What a page asks for; it has no network but this. */
export interface PageRequest {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** `answer`: undefined for a request that was refused or failed. */
export interface RequestAnswer {
  readonly id: number;
  readonly answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  };
}

export interface BrowserTasks {
  readonly render: { readonly ask: RenderAsk; readonly answer: Rendered; readonly event: PageRequest };
  readonly answer: { readonly ask: RequestAnswer; readonly answer: void };
}
