import { limits as account } from "#app/features/account/rules.ts";
import * as avatar from "#app/features/avatar/rules.ts";
import { contactLimits as contact } from "#app/features/contact/rules.ts";
import { ReadingFrame, readingLinks } from "#app/features/content/reading-frame.tsx";
import { importLimit } from "#app/features/links/import-file.ts";
import { previewSize } from "#app/features/sharing/images/preview-image.server.ts";
import { leastContrast, qrLogos, qrSizes } from "#app/features/drawing/qr-style.ts";
import { hasPasses } from "#app/features/wallet/data.server.ts";
import { pageHead } from "#app/features/shell/page-head.ts";
import { newCardLimit } from "#app/features/cards/rules.ts";
import { maxUploadBytes, uploadLimit } from "#app/features/uploads/rules.ts";
import { formatBody } from "#app/features/webhooks/event-content.server.ts";
import { sampleContent } from "#app/features/webhooks/event-examples.ts";
import { webhookMessages } from "#app/features/webhooks/messages.ts";
import { retryDelays, retryWindowMs, webhookKinds } from "#app/features/webhooks/rules.ts";
import type { WebhookKind } from "#app/features/webhooks/rules.ts";
import { clientKey } from "#app/services/client-api/client-route.server.ts";
import { markSitePage, services } from "#app/services/http/context.ts";
import { formBytes } from "#app/services/http/form-body.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

import type { Route } from "./+types/docs-page.ts";
import type { DocsFacts, PublishedLimit, WebhookFacts } from "./docs-facts.ts";
import { Apps } from "./apps-section.tsx";
import { LiveEvents } from "./events-section.tsx";
import { ServerFunctions } from "./functions-section.tsx";
import { guideSections, UserGuide } from "./guide-section.tsx";
import { AvatarImages, PreviewImages, QrCodes } from "./images-section.tsx";
import { ContactFiles, Overview, PublicPages, SourceMarks } from "./pages-section.tsx";
import { Api, Caching, Errors, Limits, ServiceState } from "./service-section.tsx";
import { Webhooks } from "./webhooks-section.tsx";

export const links = () => readingLinks;

/** Limits, sizes and examples come from the code that enforces them. */
export function loader({ context }: Route.LoaderArgs): DocsFacts {
  markSitePage(context);
  const all = services(context);
  const { baseUrl, demo, premium, dataApi } = all.config;
  return {
    baseUrl,
    clientKey: dataApi ? clientKey(all) : undefined,
    hasSamples: demo,
    ...(demo ? { profile: "demo-user", card: "demo-card" } : { profile: "your-handle", card: "your-card-id" }),
    hasPasses: hasPasses(all),
    hasBilling: premium === "sold",
    qr: { ...qrSizes, logos: qrLogos, leastContrast },
    preview: previewSize,
    avatar: {
      parts: avatar.partNames,
      bounds: avatar.bounds,
      backgroundTypes: avatar.backgroundTypes,
      longestSeed: avatar.maxSeedLength,
      longestList: avatar.maxListLength,
      usualPng: avatar.defaultPngSize,
      largestPng: avatar.maxPngSize,
    },
    webhooks: webhookFacts(baseUrl),
    largest: { form: formBytes.usual, editor: formBytes.editors, file: maxUploadBytes },
    limits: {
      failedSignIns: rateLimit(account.signInsOfAccount),
      signUps: rateLimit(account.signUpsFromNetwork),
      mails: rateLimit(account.mailsToAddress),
      uploads: rateLimit(uploadLimit),
      cards: rateLimit(newCardLimit),
      imports: rateLimit(importLimit),
      messages: rateLimit(contact.perSender),
    },
  };
}

function webhookFacts(baseUrl: string): WebhookFacts {
  // Any time, but always the same: the page is cached.
  const time = Date.UTC(2026, 10, 23, 10);
  const bodyOf = (kind: WebhookKind) => {
    const content = sampleContent(kind, { baseUrl, now: time });
    const body: { data: object } = JSON.parse(formatBody({ kind, content, happenedAt: time, count: 1, isTest: false }));
    return body;
  };
  return {
    events: webhookKinds.map((kind) => ({
      kind,
      when: webhookMessages.kinds[kind],
      properties: Object.keys(bodyOf(kind).data),
    })),
    sample: JSON.stringify(bodyOf("lead.created"), undefined, 2),
    attempts: retryDelays.length + 1,
    hours: retryWindowMs / 3_600_000,
  };
}

function rateLimit({ max, windowMs }: RateLimit): PublishedLimit {
  return { max, minutes: windowMs / 60_000 };
}

export function meta(args: Route.MetaArgs) {
  const description =
    "How to share, print and save a card, and what programs can use: the API, pages, contact files, QR codes, images and service status.";
  return pageHead(args, { title: "Documentation | Meishi", description });
}

export default function DocsPage({ loaderData }: Route.ComponentProps) {
  return <DocsView facts={loaderData} />;
}

function DocsView({ facts }: { facts: DocsFacts }) {
  return (
    <ReadingFrame title="Documentation" sections={[...guideSections, ...listSections(facts)]}>
      <div className="prose">
        <UserGuide />
        <Overview facts={facts} />
        <Api facts={facts} />
        <Apps facts={facts} />
        <PublicPages facts={facts} />
        <ContactFiles facts={facts} />
        <QrCodes facts={facts} />
        <PreviewImages facts={facts} />
        <AvatarImages facts={facts} />
        <SourceMarks facts={facts} />
        <ServerFunctions facts={facts} />
        <LiveEvents />
        <Webhooks facts={facts} />
        <ServiceState facts={facts} />
        <Caching />
        <Errors facts={facts} />
        <Limits facts={facts} />
      </div>
    </ReadingFrame>
  );
}

function listSections({ clientKey: key }: DocsFacts) {
  return key === undefined ? developerSections.filter(({ id }) => id !== "apps") : developerSections;
}

/** In page order; a test compares them with the headings. */
const developerSections = [
  { id: "developers", label: "For developers" },
  { id: "api", label: "API" },
  { id: "apps", label: "Apps" },
  { id: "pages", label: "Profiles and cards" },
  { id: "contact-files", label: "Contact files" },
  { id: "codes", label: "QR codes" },
  { id: "previews", label: "Images" },
  { id: "faces", label: "Generated avatars" },
  { id: "marks", label: "Traffic sources" },
  { id: "functions", label: "Server functions" },
  { id: "events", label: "Live events" },
  { id: "webhooks", label: "Webhooks" },
  { id: "service", label: "Service status" },
  { id: "caching", label: "Caching" },
  { id: "errors", label: "Errors" },
  { id: "limits", label: "Limits" },
];
