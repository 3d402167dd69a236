import type { Destination } from "./destination.ts";
import { brevo } from "./destinations/brevo-destination.server.ts";
import { carddav } from "./destinations/carddav-destination.server.ts";
import { google } from "./destinations/google-destination.server.ts";
import { hubspot } from "./destinations/hubspot-destination.server.ts";
import { listmonk } from "./destinations/listmonk-destination.server.ts";
import { mailchimp } from "./destinations/mailchimp-destination.server.ts";
import { microsoft } from "./destinations/microsoft-destination.server.ts";

/** In the order of the page. */
export const destinations: readonly Destination[] = [carddav, google, microsoft, hubspot, listmonk, mailchimp, brevo];

export function findDestination(kind: string): Destination | undefined {
  return destinations.find((one) => one.kind === kind);
}
