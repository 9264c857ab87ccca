import { isIP } from "node:net";

const bitsOf: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Whether a text is an IP address. */
export const isAddress = (text: string): boolean => isIP(text) !== 0;

/** Whether a text is an IP address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [base = "", bits = "0", ...rest] = text.split("/");
  const most = bitsOf[isIP(base)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}
