import type { Services } from "#app/services/context.ts";

/**
 * Where messages to the operator go: CONTACT_TO, else the operator's address in site.json, else, where mail is kept on this machine to
 * look at, an address that stands for whoever sits there. Undefined where nobody would get them.
 */
export function contactAddress({ config, content }: Pick<Services, "config" | "content">): string | undefined {
  const isKept = config.isLocal && config.smtpUrl === undefined;
  if (config.smtpUrl === undefined && !isKept) return undefined;
  return config.contactTo ?? (content.operator.email || (isKept ? "operator@localhost" : undefined));
}
