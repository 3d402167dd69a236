import type { RouterContextProvider } from "react-router";

import { services, viewer } from "#app/services/context.ts";

import { socialLinks } from "./social-links.ts";

/** What header and footer say: who is signed in, and where the operator can be followed. Every layout with a shell loads it. */
export function shellFacts(context: Readonly<RouterContextProvider>) {
  const person = viewer(context);
  return { viewer: person && { id: person.id }, social: socialLinks(services(context).content.social) };
}
