import { expect, test } from "vitest";

import { isFromPerson } from "./rules.ts";

const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const android = "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0";

/** One of each kind that `isbot` knows: search, social networks, previews in chats, AI, archives, monitors, tools. */
const crawlers = [
  `${chrome} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
  "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "WhatsApp/2.24.20.89 A",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
  "Viber/13.3.0 (compatible; preview bot)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
  "Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)",
  "Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)",
  "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
  chrome.replace("Chrome/", "HeadlessChrome/"),
  `${chrome} Chrome-Lighthouse`,
  "curl/8.11.0",
  "python-requests/2.32.3",
  "okhttp/4.12.0",
  "node",
];

const browsers = [
  `${iphone} Version/19.0 Mobile/15E148 Safari/604.1`,
  chrome,
  `${chrome} Edg/142.0.0.0`,
  "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0",
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  // Inside other apps, where links of a chat or a feed open.
  `${iphone} Mobile/15E148 Instagram 350.0.0.29.93`,
  `${iphone} Mobile/22B83 [FBAN/FBIOS;FBAV/490.0.0.43.107]`,
  `${android} Chrome/130.0.0.0 Mobile Safari/537.36 LinkedIn/4.1.1000`,
];

test("browsers are people, crawlers and programs are not", () => {
  const isPerson = (userAgent: string) => isFromPerson({ "user-agent": userAgent });
  expect(crawlers.filter(isPerson)).toEqual([]);
  expect(browsers.filter(isPerson)).toEqual(browsers);
});

test("a page that a browser loads ahead, or draws for its start page, is not counted", () => {
  for (const ahead of [
    { "sec-purpose": "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { purpose: "prefetch" },
    { "x-purpose": "preview" },
    { "x-moz": "prefetch" },
  ])
    expect(isFromPerson({ "user-agent": chrome, ...ahead })).toBe(false);
});
