import type { OfflineContact } from "#app/features/sharing/offline/offline-qr.ts";
import type { Signature, SignatureImage } from "#app/features/sharing/images/signature.ts";

export type { Signature, SignatureImage };

/** The profile or card that the Share page shares. */
export type ShareSubject = {
  kind: "profile" | "card";
  /** The owner's name for it: "My Business Card". */
  label: string;
  /** The person's name, and what they do ("" when unknown). */
  name: string;
  work: string;
  /** Goes with the link in other services. */
  shareText: string;
  /** The absolute public URL, without a source mark. */
  url: string;
  /** The base paths of its public files ("/card/{id}"), of its owner's files ("/share/card/{id}") and of its editor. */
  path: string;
  sharePath: string;
  editPath: string;
  /** Whether the owner has an avatar, which can be placed in the middle of a QR code. */
  hasAvatar: boolean;
  /** The contact details for an offline QR code; only cards have them. */
  contact?: OfflineContact;
  /** Without the logo, whose size its file tells, and the storage key of that logo, which only cards have. */
  signature: Omit<Signature, "logo">;
  logoKey?: string | null;
};

/** Why visitors can't open it, and a link to where the owner can change that. */
export type HiddenReason = { title: string; text: string; action: { label: string; href: string } };

/** The requested profile or card, or why it can't be shared yet. */
export type OwnShare = { label: string; hidden: HiddenReason } | { subject: ShareSubject };
