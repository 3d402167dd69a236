import type { OfflineContact } from "./offline-qr.ts";
import type { Signature } from "./signature.ts";

/** What the Share page hands over, a profile or a card, as its ways need it. */
export type ShareSubject = {
  kind: "profile" | "card";
  /** What its owner calls it: "My Business Card". */
  label: string;
  /** Whose it is, and what they do ("" where that is not known). */
  name: string;
  work: string;
  /** The whole public address, without a mark. */
  url: string;
  /** Where its public files are: "/card/{id}"; where its owner's are: "/share/card/{id}"; where it is edited. */
  path: string;
  sharePath: string;
  editPath: string;
  /** The owner's picture: what may stand in the middle of a code. */
  hasPicture: boolean;
  /** What a code can hold without the page; a profile has nothing that is worth it. */
  contact?: OfflineContact;
  signature: Signature;
};

/** Why visitors can't open it, what its owner can do about that, and where. */
export type Hidden = { title: string; text: string; action: { label: string; href: string } };

/** What the owner asked for: something to hand over, or the reason why there is nothing to hand over yet. */
export type OwnShare = { label: string; hidden: Hidden } | { subject: ShareSubject };
