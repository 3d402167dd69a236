/** A public request and its response. The documentation shows it, and a test sends it, so that it stays true. */
export type Example = {
  what: string;
  method?: "DELETE" | "POST";
  /** Including the query. */
  path: string;
  headers?: Record<string, string>;
  status: number;
  /** Content type without parameters; "" without a body. */
  type: string;
  /** Lines of the response in order; "…" stands for omitted ones. */
  response?: readonly string[];
  /** For an image: its size on the page. */
  imageSize?: readonly [width: number, height: number];
};

export type ExampleName = keyof ReturnType<typeof listExamples>;

type ExampleIds = { profile: string; card: string };

/** `profile` and `card` are the ids that the examples use. */
export function listExamples(ids: ExampleIds) {
  return { ...pageExamples(ids), ...imageExamples(ids), ...avatarExamples, ...serviceExamples };
}

function pageExamples({ profile, card }: ExampleIds) {
  return {
    profile: { what: "A profile", path: `/u/${profile}`, status: 200, type: "text/html" },
    card: { what: "A card", path: `/card/${card}`, status: 200, type: "text/html" },
    contactFile: {
      what: "A card’s contact file",
      path: `/card/${card}/contact.vcf`,
      status: 200,
      type: "text/vcard",
      response: ["BEGIN:VCARD", "VERSION:3.0", "…", "END:VCARD"],
    },
    marked: { what: "A visit from a QR code", path: `/card/${card}?q`, status: 200, type: "text/html" },
    missing: {
      what: "A card that is private, paused or missing",
      path: "/card/none/qr.svg",
      status: 404,
      type: "text/plain",
      response: ["There is nothing at this address."],
    },
    signedOutCall: {
      what: "A call without a session",
      method: "POST",
      path: "/functions/v1/get-default-images",
      status: 401,
      type: "application/json",
      response: ['{"error":"Sign in, or send the token of a session."}'],
    },
    method: {
      what: "A method other than GET, HEAD or POST",
      method: "DELETE",
      path: `/card/${card}`,
      status: 405,
      type: "text/plain",
    },
  } as const satisfies Record<string, Example>;
}

function imageExamples({ profile, card }: ExampleIds) {
  return {
    qrSvg: {
      what: "A card’s QR code as SVG",
      path: `/card/${card}/qr.svg?size=512&color=1f2937`,
      status: 200,
      type: "image/svg+xml",
      imageSize: [128, 128],
    },
    qrPng: {
      what: "A profile’s QR code as PNG",
      path: `/u/${profile}/qr.png?size=1024&logo=seal`,
      status: 200,
      type: "image/png",
      imageSize: [128, 128],
    },
    qrRefused: {
      what: "A color too light to scan",
      path: `/card/${card}/qr.svg?color=ffe066`,
      status: 400,
      type: "text/plain",
      response: ["This color is too light to scan on a white background. Choose a darker one."],
    },
    preview: {
      what: "The link preview image",
      path: `/card/${card}/preview.png`,
      status: 200,
      type: "image/png",
      imageSize: [360, 189],
    },
  } as const satisfies Record<string, Example>;
}

const avatarExamples = {
  avatarSvg: {
    what: "An avatar with chosen parts",
    path: "/avatar/ada.svg?hair=bobCut,curly&eyes=glasses&backgroundColor=f6d9c4",
    status: 200,
    type: "image/svg+xml",
    imageSize: [96, 96],
  },
  avatarJson: {
    what: "The same avatar, with the parts it was drawn with",
    path: "/avatar/ada.json?hair=bobCut,curly&eyes=glasses&backgroundColor=f6d9c4",
    status: 200,
    type: "application/json",
    response: ['"svg":"<svg', "…", '"eyes":"glasses"', "…"],
  },
  avatarPng: {
    what: "An avatar as a PNG",
    path: "/avatar/ada.png?size=256",
    status: 200,
    type: "image/png",
    imageSize: [96, 96],
  },
  avatarRefused: {
    what: "A number out of range",
    path: "/avatar/ada.svg?rotate=400",
    status: 400,
    type: "text/plain",
    response: ['rotate: "400" is not allowed.', "…"],
  },
} as const satisfies Record<string, Example>;

const serviceExamples = {
  health: {
    what: "Health of this process and its database",
    path: "/healthz",
    status: 200,
    type: "application/json",
    response: ['{"status":"ok","database":"ok"}'],
  },
  status: { what: "Current status and uptime", path: "/status.json", status: 200, type: "application/json" },
} as const satisfies Record<string, Example>;

/** The request as a shell command. */
export function curlLine({ method, path, headers = {} }: Example, baseUrl: string): string {
  const options = [
    ...(method ? [`-X ${method}`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
  ];
  return ["curl", ...options, `"${baseUrl}${path}"`].join(" ");
}

/** The request that creates a card (specification, document 1, section 2). */
export function cardRequest(baseUrl: string): string {
  return `curl -X POST "${baseUrl}/cards" \\
  -H "Authorization: Bearer $MEISHI_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "userId": "your-user-id",
    "links": [
      { "label": "Portfolio", "url": "https://example.com" }
    ]
  }'`;
}
