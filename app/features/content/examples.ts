/** A request that anybody can make, and what comes back: shown in the documentation, and made by a test, so that it stays true. */
export type Example = {
  what: string;
  method?: "DELETE";
  /** With its query. */
  path: string;
  headers?: Record<string, string>;
  status: number;
  /** Content type without its parameters; "" where there is no body. */
  type: string;
  /** Lines that are in the answer, in this order; "…" stands for what is left out. */
  answer?: readonly string[];
  /** A picture: as wide and as high as the page shows it. */
  shown?: readonly [width: number, height: number];
};

export type ExampleName = keyof ReturnType<typeof examplesOf>;

type Ids = { profile: string; card: string };

/** `profile` and `card` are the ids that the examples speak of. */
export function examplesOf(ids: Ids) {
  return { ...ofPages(ids), ...ofPictures(ids), ...faces, ...service };
}

function ofPages({ profile, card }: Ids) {
  return {
    profile: { what: "A profile", path: `/u/${profile}`, status: 200, type: "text/html" },
    card: { what: "A card", path: `/card/${card}`, status: 200, type: "text/html" },
    contactFile: {
      what: "The contact of a card",
      path: `/card/${card}/contact.vcf`,
      status: 200,
      type: "text/vcard",
      answer: ["BEGIN:VCARD", "VERSION:3.0", "…", "END:VCARD"],
    },
    marked: { what: "A visit that came from a code", path: `/card/${card}?q`, status: 200, type: "text/html" },
    missing: {
      what: "A card that is private, paused, or not there",
      path: "/card/none/qr.svg",
      status: 404,
      type: "text/plain",
      answer: ["There is nothing at this address."],
    },
    method: {
      what: "Another method than GET, HEAD and POST",
      method: "DELETE",
      path: `/card/${card}`,
      status: 405,
      type: "text/plain",
    },
  } as const satisfies Record<string, Example>;
}

function ofPictures({ profile, card }: Ids) {
  return {
    qrSvg: {
      what: "The code of a card, as a drawing",
      path: `/card/${card}/qr.svg?size=512&color=1f2937`,
      status: 200,
      type: "image/svg+xml",
      shown: [128, 128],
    },
    qrPng: {
      what: "The code of a profile, as pixels",
      path: `/u/${profile}/qr.png?size=1024&logo=seal`,
      status: 200,
      type: "image/png",
      shown: [128, 128],
    },
    qrRefused: {
      what: "A colour that no camera would read",
      path: `/card/${card}/qr.svg?color=ffe066`,
      status: 400,
      type: "text/plain",
      answer: ["This colour is too light to scan on white. Choose a darker one."],
    },
    preview: {
      what: "The picture for chats",
      path: `/card/${card}/preview.png`,
      status: 200,
      type: "image/png",
      shown: [360, 189],
    },
  } as const satisfies Record<string, Example>;
}

const faces = {
  faceSvg: {
    what: "A face with some parts chosen",
    path: "/avatar/ada.svg?hair=bobCut,curly&eyes=glasses&backgroundColor=f6d9c4",
    status: 200,
    type: "image/svg+xml",
    shown: [96, 96],
  },
  faceJson: {
    what: "The same face, and what the seed chose",
    path: "/avatar/ada.json?hair=bobCut,curly&eyes=glasses&backgroundColor=f6d9c4",
    status: 200,
    type: "application/json",
    answer: ['"svg":"<svg', "…", '"eyes":"glasses"', "…"],
  },
  facePng: {
    what: "A face as pixels",
    path: "/avatar/ada.png?size=256",
    status: 200,
    type: "image/png",
    shown: [96, 96],
  },
  faceRefused: {
    what: "A part that there is not",
    path: "/avatar/ada.svg?hair=hat",
    status: 400,
    type: "text/plain",
    answer: ['hair: "hat" is not allowed.', "…"],
  },
} as const satisfies Record<string, Example>;

const service = {
  health: {
    what: "Whether this process and its database answer",
    path: "/healthz",
    status: 200,
    type: "application/json",
    answer: ['{"status":"ok","database":"ok"}'],
  },
  status: { what: "What was measured", path: "/status.json", status: 200, type: "application/json" },
} as const satisfies Record<string, Example>;

/** As it is typed into a shell. */
export function curlLine({ method, path, headers = {} }: Example, baseUrl: string): string {
  const options = [
    ...(method ? [`-X ${method}`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
  ];
  return ["curl", ...options, `"${baseUrl}${path}"`].join(" ");
}

/** What creating a card is to look like (specification, document 1, section 2); nothing answers it while the interface is not built. */
export function plannedRequest(baseUrl: string): string {
  return `curl -X POST "${baseUrl}/cards" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{
    "userId": "your-user-id",
    "links": [
      { "label": "Portfolio", "url": "https://example.com" }
    ]
  }'`;
}
