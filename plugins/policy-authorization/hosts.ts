import type { PendingCall } from "@pergola/sdk";

const hostOf = (address: string): readonly string[] =>
  URL.canParse(address) ? [new URL(address).hostname.replace(/\.$/, "")] : [];

/** The hosts that a call would send something to. */
export const hostsOf = ({ urls }: Pick<PendingCall, "urls">): readonly string[] => urls.flatMap(hostOf);

/** Ends of file names that are ends of host names, too: whoever names a file names no host. */
const fileEndings = /\.(?:ad|am|app|cc|do|id|in|la|md|mk|ml|mm|mov|pl|ps|pub|py|rs|sh|so|st|tf|vi|zip)$/i;

/** An address, or a word such as `docs.example.com`, `10.0.0.7` or `printer:631`. */
const named =
  /https?:\/\/[^\s"'<>()[\]{}]+|(?<![\p{L}\p{N}./\\-])[\p{L}\p{N}][\p{L}\p{N}.-]*(?:\.\p{L}{2,}|\.\d+|:\d{2,5})(?![\p{L}\p{N}])/giu;

/** The hosts that a text names. */
export function hostsIn(text: string): readonly string[] {
  const words = text.match(named) ?? [];
  const addresses = words.flatMap((word) => {
    if (/^https?:/i.test(word)) return word;
    return fileEndings.test(word) ? [] : `https://${word}`;
  });
  return [...new Set(addresses.flatMap(hostOf))];
}
