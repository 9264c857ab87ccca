/** What a login at GitHub needs to know of a vendor; a row's data. */
export interface GithubLogin {
  /** The public id of the application that asks to be let in. No secret belongs to it. */
  readonly clientId: string;
  readonly scope: string;
  /** Exchanges what the login gave for a token that the vendor's own address takes. */
  readonly tokenPath: string;
  /** Tells how much of the subscription is used. */
  readonly quotaPath: string;
  /** Of every request to GitHub. */
  readonly headers: Readonly<Record<string, string>>;
}
