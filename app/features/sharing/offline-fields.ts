import type { OfflineField } from "./offline-qr.ts";

/** What a field of the contact in a code is called. */
export const offlineFieldNames: Record<OfflineField, string> = {
  phone: "Phone",
  email: "Email",
  company: "Company",
  title: "Title",
  url: "Address of the card",
};
