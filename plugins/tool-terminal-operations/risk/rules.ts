export type Risk = "low" | "medium" | "high";

interface RiskRule {
  readonly risk: Risk;
  readonly reason: string;
  readonly pattern: RegExp;
}

/** A word where a command may stand: at the beginning, or after what ends another command or runs one. */
const program = (names: string): RegExp =>
  new RegExp(
    "(?:^|[;&|(`{\\n]|\\b(?:sudo|doas|env|exec|xargs|nohup|time|command)\\s)\\s*" +
      `(?:[\\w./-]*/)?(?:${names})(?=$|[\\s;&|)\`])`,
  );

/**
 * What the text of a command may say of its risk. What lies between two words is bounded, so that no pattern
 * takes long.
 */
export const rules: readonly RiskRule[] = [
  {
    risk: "high",
    reason: "removes files without asking",
    pattern: /\brm\s+(?:-{1,2}[\w-]{1,40}\s{1,9}){0,9}-(?:[a-z]*[rRf]|-recursive|-force)/i,
  },
  {
    risk: "high",
    reason: "works on the file system's root or the whole home folder",
    pattern: /\b(?:rm|chmod|chown|mv)\s[^;&|\n]{0,200}\s(?:\/|~|\$HOME)\/?\*?(?=\s|$)/,
  },
  {
    risk: "high",
    reason: "runs with the rights of another user",
    pattern: program("sudo|su|doas|pkexec|runuser"),
  },
  {
    risk: "high",
    reason: "writes to a device or a file system",
    pattern: program("dd|mkfs(?:\\.\\w+)?|fdisk|parted|wipefs|mkswap|blkdiscard"),
  },
  {
    risk: "high",
    reason: "writes to a device",
    pattern: />\s*\/dev\/(?!null\b|stdout\b|stderr\b|tty\b|fd\/)/,
  },
  {
    risk: "high",
    reason: "stops or restarts the computer",
    pattern: program("shutdown|reboot|halt|poweroff|init"),
  },
  {
    risk: "high",
    reason: "runs what it downloads",
    pattern: /\b(?:curl|wget)\b[^;&\n]{0,200}\|\s*(?:sudo\s+)?(?:\w*sh|python\d?|perl|ruby|node)\b/,
  },
  {
    risk: "high",
    reason: "runs text that is decoded or made on the way",
    pattern: /\|\s*(?:ba|z|da|k)?sh\b|\beval\b|\bbase64\s+(?:-d|--decode)\b/,
  },
  { risk: "high", reason: "starts itself again and again", pattern: /:\s*\(\s*\)\s*\{/ },
  {
    risk: "high",
    reason: "touches keys or passwords",
    pattern: /\.ssh\b|\.gnupg\b|\.aws\b|\.netrc\b|\/etc\/(?:shadow|sudoers|passwd)\b|\bid_(?:rsa|ed25519)\b/,
  },
  {
    risk: "high",
    reason: "opens a connection for another machine's commands",
    pattern: /\/dev\/(?:tcp|udp)\/|\bn(?:c|cat)\b[^;&|\n]{0,200}\s-[a-z]*[ce]\b/,
  },
  {
    risk: "high",
    reason: "rewrites or discards history in git",
    pattern:
      /\bgit\s[^;&|\n]{0,60}(?:push\s[^;&|\n]{0,60}(?:--force|-f\b)|reset\s+--hard|clean\s+-[a-z]*f|filter-branch)/,
  },
  {
    risk: "high",
    reason: "removes data in a database",
    pattern: /\b(?:drop\s+(?:table|database|schema)|truncate\s+table|delete\s+from)\b/i,
  },
  { risk: "medium", reason: "removes files", pattern: program("rm|rmdir|unlink|shred|truncate") },
  { risk: "medium", reason: "removes what it finds", pattern: /\bfind\b[^;&|\n]{0,200}\s-(?:delete|exec)\b/ },
  { risk: "medium", reason: "changes rights or owners", pattern: program("chmod|chown|chgrp|setfacl") },
  { risk: "medium", reason: "ends processes", pattern: program("kill|pkill|killall") },
  {
    risk: "medium",
    reason: "installs or removes software",
    pattern: program(
      "(?:apt|apt-get|dnf|yum|brew|snap|pip\\d?|npm|pnpm|yarn|gem|cargo|go)\\s+(?:-\\S{1,40}\\s+)?" +
        "(?:install|i|add|remove|uninstall|purge|upgrade|ci)",
    ),
  },
  {
    risk: "medium",
    reason: "changes services or planned jobs",
    pattern: program("systemctl|service|launchctl|crontab|at"),
  },
  {
    risk: "medium",
    reason: "reaches other machines",
    pattern: program("curl|wget|ssh|scp|sftp|rsync|nc|ncat|telnet|ftp"),
  },
  { risk: "medium", reason: "moves or overwrites files", pattern: program("mv|cp|ln|install|tee") },
  {
    risk: "medium",
    reason: "writes a file by redirection",
    pattern: /(?:^|[^>&\d<-])>{1,2}\s*(?!\/dev\/null\b|&)[^\s>&|]/,
  },
  {
    risk: "medium",
    reason: "runs code given as text",
    pattern: program("(?:python\\d?|perl|ruby|node|php)\\s+-(?:c|e|r)\\b"),
  },
  { risk: "medium", reason: "runs a command inside another", pattern: /\$\(|`/ },
  {
    risk: "medium",
    reason: "changes a repository or sends it elsewhere",
    pattern: /\bgit\s[^;&|\n]{0,200}(?:push|commit|merge|rebase|checkout|restore|stash)\b/,
  },
];
