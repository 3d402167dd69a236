import type { LinkCampaign } from "#app/features/links/rules.ts";
import { namesOf } from "#app/services/base/form-fields.ts";

/** The parameters that Google Analytics, Matomo and others read, by the field of a link. */
export const campaignParameters = {
  utmSource: "utm_source",
  utmMedium: "utm_medium",
  utmCampaign: "utm_campaign",
} as const;

/**
 * Adds a link's campaign to the query of a web address: "https://a.example/b?c#d" and the source "card" ->
 * "https://a.example/b?c&utm_source=card#d". A parameter that the address has already is left as it is, as is any address of another scheme.
 */
export function withCampaign(url: string, campaign: LinkCampaign): string {
  const added = campaignOf(campaign).filter(([name]) => !hasParameter(url, name));
  if (added.length === 0 || !/^https?:/i.test(url)) return url;
  const [address = "", ...fragment] = url.split("#");
  const query = queryOf(url);
  const separator = query === undefined ? "?" : query === "" || query.endsWith("&") ? "" : "&";
  return [address + separator + new URLSearchParams(added).toString(), ...fragment].join("#");
}

/** The parameters of a campaign that an address has already, with a value of its own. */
export function keptParameters(url: string, campaign: LinkCampaign): string[] {
  return campaignOf(campaign)
    .map(([name]) => name)
    .filter((name) => hasParameter(url, name));
}

function campaignOf(campaign: LinkCampaign): [name: string, value: string][] {
  return namesOf(campaignParameters).flatMap((field): [string, string][] => {
    const value = campaign[field]?.trim();
    return value ? [[campaignParameters[field], value]] : [];
  });
}

/** Parameters' names are compared as statistics programs do: without regard to case. */
function hasParameter(url: string, name: string): boolean {
  return [...new URLSearchParams(queryOf(url)).keys()].some((key) => key.toLowerCase() === name);
}

/** "https://a.example?b?c#d" -> "b?c"; undefined without a question mark. */
function queryOf(url: string): string | undefined {
  return /^[^?#]*\?([^#]*)/.exec(url)?.[1];
}
