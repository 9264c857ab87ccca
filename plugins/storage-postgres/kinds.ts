/** What a failure of the database means. */
export interface Kind {
  /** One sentence for clients. */
  readonly message: string;
  /** What the operator is told after the name of the database, and what to do. */
  readonly reason: string;
  readonly remedy: string;
  /** A code of the error table; default: `storage_unavailable`. */
  readonly code?: string;
  /** The connection is gone or of no use, and another one may be had later. */
  readonly isAway?: boolean;
  /** Other transactions were in the way: the same once more may succeed. */
  readonly isContention?: boolean;
  /** Larger writes than the next one may be refused, too, for as long as nobody does something about it. */
  readonly isLasting?: boolean;
  /** No other request can succeed in this transaction. */
  readonly endsBatch?: boolean;
}

const away = (reason: string, remedy = "Start it, or correct storage.url."): Kind => ({
  message: "The database does not answer.",
  reason,
  remedy,
  isAway: true,
  endsBatch: true,
});

const contention: Kind = {
  message: "Other hosts change the same records; try again.",
  reason: "is busy with the work of other hosts",
  remedy: "Try again.",
  isContention: true,
  endsBatch: true,
};

const certificate: Kind = {
  message: "The database does not answer.",
  reason: "has a certificate that is not valid",
  remedy: "Name the certificates to trust under storage.tls_ca, and the server as its certificate does.",
};

const unencrypted: Kind = {
  message: "The database does not answer.",
  reason: "takes no encrypted connections",
  remedy: "Switch TLS on in the server, or choose storage.tls: off where nobody else is on the way.",
};

const damaged: Kind = {
  message: "The storage is damaged.",
  reason: "is damaged",
  remedy: "Restore a backup of the database.",
  endsBatch: true,
};

export const notCarriedOut: Kind = {
  message: "The storage could not carry the request out.",
  reason: "refused a statement",
  remedy: "Look into the log of the database.",
  code: "internal_error",
};

/**
 * By the beginning of a code: SQLSTATE (PostgreSQL manual, appendix A), or that of the operating system or of
 * TLS. The first that fits counts.
 */
export const kinds: readonly (readonly [prefix: string, kind: Kind])[] = [
  [
    "28",
    {
      message: "The database refuses the service.",
      reason: "rejects the user or the password",
      remedy: "Correct storage.url and storage.password, or the server's pg_hba.conf.",
    },
  ],
  [
    "3D000",
    {
      message: "The database is not there.",
      reason: "does not exist on this server",
      remedy: "Make it with `createdb`, or correct storage.url.",
    },
  ],
  [
    "42501",
    {
      message: "The database refuses the service.",
      reason: "does not let this user do what is needed",
      remedy: "Make the user the owner of the schema, or give it the right to make one.",
    },
  ],
  [
    "53300",
    away("has no connection left", "Lower storage.connections, or raise the server's max_connections."),
  ],
  [
    "53100",
    {
      message: "The disk of the database is full; nothing was written.",
      reason: "has no room left on its disk",
      remedy: "Free some space.",
      endsBatch: true,
      isLasting: true,
    },
  ],
  [
    "53",
    {
      message: "The database has no resources left; nothing was written.",
      reason: "has no memory or other resources left",
      remedy: "Look into the log of the database.",
      endsBatch: true,
    },
  ],
  [
    "25006",
    {
      message: "The database is read-only; nothing was written.",
      reason: "is read-only",
      remedy: "Name the primary server under storage.url, or end its read-only state.",
      endsBatch: true,
    },
  ],
  [
    "57014",
    {
      message: "The database took too long; nothing was changed.",
      reason: "took longer than storage.statement_seconds allows",
      remedy: "Raise storage.statement_seconds, or look what keeps the database busy.",
    },
  ],
  ["57P", away("is starting or stopping", "Wait until it is up, and start again.")],
  ["08", away("ended the connection", "Look into the log of the database.")],
  ["25P0", away("ended a transaction that stood still", "Look into the log of the database.")],
  ["40", contention],
  ["55P03", contention],
  [
    "54",
    {
      message: "The value is too large to be stored.",
      reason: "refused a value that is too large",
      remedy: "Store less.",
      code: "invalid_value",
    },
  ],
  ["XX00", damaged],
  ["ECONNREFUSED", away("does not answer")],
  ["ENOENT", away("does not answer")],
  ["ENOTFOUND", away("is on a host whose name is not known")],
  ["EAI_AGAIN", away("is on a host whose name is not known")],
  [
    "EACCES",
    away("has a socket that this user may not open", "Give the user the right, or correct storage.url."),
  ],
  ["ECONNRESET", away("ended the connection")],
  ["EPIPE", away("ended the connection")],
  ["ETIMEDOUT", away("does not answer")],
  ["EHOSTUNREACH", away("cannot be reached")],
  ["ENETUNREACH", away("cannot be reached")],
  ["SELF_SIGNED", certificate],
  ["DEPTH_ZERO", certificate],
  ["UNABLE_TO", certificate],
  ["CERT_", certificate],
  ["ERR_TLS_CERT", certificate],
];

/** Errors that their words tell more exactly than their code. */
export const told: readonly (readonly [code: string, words: RegExp, kind: Kind])[] = [
  [
    "28000",
    /no encryption/,
    {
      message: "The database refuses the service.",
      reason: "takes this user on encrypted connections only",
      remedy: "Choose storage.tls: verify, and name the authority under storage.tls_ca where it is your own.",
    },
  ],
];

/** Errors of the driver, which have no code, by their words. */
export const worded: readonly (readonly [words: RegExp, kind: Kind])[] = [
  [/does not support SSL/, unencrypted],
  [
    /timeout exceeded when trying to connect/,
    {
      ...away("has no connection free, or does not answer"),
      message: "The database is busy or does not answer.",
    },
  ],
  [
    /Connection terminated|connection error|Client was closed|timeout expired|not queryable|read timeout/,
    away("ended the connection"),
  ],
  [
    /password must be a string|empty password/,
    {
      message: "The database refuses the service.",
      reason: "asks for a password, and none is set",
      remedy: "Set storage.password, as { env: … } or { file: … }.",
    },
  ],
];
