interface Reason {
  readonly what: string;
  readonly remedy: string;
}

const checkAddress = "Check that it runs, and its base_url.";
const checkNetwork = "Check its base_url, and the connection of this computer.";

const brokeOff = { what: "it closed the connection too early", remedy: "Try again, or look into its log." };
const tooSlow = { what: "it did not take the connection in time", remedy: checkAddress };
const notTrusted = {
  what: "its certificate is not trusted here",
  remedy: "Check its base_url, or name the certificate's file in NODE_EXTRA_CA_CERTS.",
};

/** What the codes of failed connections mean, and what to do. */
const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: { what: "nothing listens at its address", remedy: checkAddress },
  EHOSTUNREACH: { what: "its host cannot be reached", remedy: checkNetwork },
  ENETUNREACH: { what: "its network cannot be reached", remedy: checkNetwork },
  ENOTFOUND: { what: "the name of its host is not known", remedy: checkNetwork },
  EAI_AGAIN: { what: "the name of its host could not be looked up", remedy: checkNetwork },
  ECONNRESET: brokeOff,
  EPIPE: brokeOff,
  UND_ERR_SOCKET: brokeOff,
  ETIMEDOUT: tooSlow,
  UND_ERR_CONNECT_TIMEOUT: tooSlow,
  CERT_HAS_EXPIRED: { ...notTrusted, what: "its certificate has expired" },
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: { ...notTrusted, what: "its certificate is for another host" },
};

type Failure = Error & { readonly code?: string };

/** Why a connection failed, in words; the error's own text where nobody knows better. */
export function causeOf({ code = "", message }: Failure): string {
  const known = reasons[code];
  return known === undefined ? code || message : `${known.what} (${code})`;
}

/** The same with what to do about a provider's. */
export function reasonOf(failure: Failure): string {
  const remedy = reasons[failure.code ?? ""]?.remedy;
  return [`${causeOf(failure)}.`, remedy].filter(Boolean).join(" ");
}
