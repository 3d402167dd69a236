import type { SiteContent } from "#app/services/site-content.server.ts";

/** What our own texts have to know of this installation to be true of it. */
export type Installation = {
  operator: SiteContent["operator"];
  /** As people read it: "cards.example.com". */
  host: string;
  /** Where what people upload lies, and where their mail goes. */
  hasS3: boolean;
  hasMailServer: boolean;
  /** Whether somebody gets what is written on /contact. */
  hasContactForm: boolean;
  /** Whether something can be bought. */
  hasPayments: boolean;
  /** Its name in the browser. */
  sessionCookie: string;
  facts: SiteContent["facts"];
};
