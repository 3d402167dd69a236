import { expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { dialedUrl, phoneUrl } from "./phone-url.ts";

test.each([
  ["+1 555 0100", "tel:+15550100"],
  ["+44 (0)20 7946 0000", "tel:+442079460000"],
  ["(+44) ( 0 ) 20 7946 0000", "tel:+442079460000"],
  ["(020) 7946-0000", "tel:02079460000"],
  ["+1 (555) 010.0100 ext. 5", "tel:+15550100100;ext=5"],
  ["555/0100 x42", "tel:5550100;ext=42"],
  ["+1 555 0100,,123", "tel:+15550100,,123"],
  ["+81 3–1234–5678", "tel:+81312345678"],
  ["*100#", "tel:*100%23"],
  ["#31#5550100", "tel:%2331%235550100"],
  ["112", "tel:112"],
  // Letters of a keypad
  ["1-800-FLOWERS", "tel:18003569377"],
  ["1-888-555-TAXI ext. 5", "tel:18885558294;ext=5"],
  // Extensions
  ["+1 604 555 0100 Local 212", "tel:+16045550100;ext=212"],
  ["+1 604 555 0100 extension 12", "tel:+16045550100;ext=12"],
  ["+1 604 555 0100 ext: 12", "tel:+16045550100;ext=12"],
  ["+1 604 555 0100x12", "tel:+16045550100;ext=12"],
  ["+1 604 555 0100 #12", "tel:+16045550100;ext=12"],
  ["+1 604 555 0100, (Ext. No. 12)", "tel:+16045550100;ext=12"],
  ["tel:+1-604-555-0100;ext=12", "tel:+16045550100;ext=12"],
  ["030 1234567 Durchwahl 12", "tel:0301234567;ext=12"],
  ["+7 495 123-45-67 доб. 12", "tel:+74951234567;ext=12"],
  ["03-1234-5678 内線12", "tel:0312345678;ext=12"],
  ["4711 ext 5", "tel:4711;ext=5"],
  // Other digits, and characters that no one sees
  ["\u202a+٤٤ ٢٠ ٧٩٤٦ ٠٠٠٠\u202c", "tel:+442079460000"],
  ["۰۲۱ ۸۸۵۵ ۰۱۰۰ داخلی ۱۲", "tel:02188550100;ext=12"],
  ["+९१ २२ २७७८ ०१००", "tel:+912227780100"],
  ["＋８１ ３ １２３４ ５６７８", "tel:+81312345678"],
  ["+1\u200b604\u00ad555\u2060-0100\ufeff", "tel:+16045550100"],
  ["+1️⃣604 555 0100", "tel:+16045550100"],
  // Words around a number
  ["Tel: +1 604 555 0100", "tel:+16045550100"],
  ["Phone 2: +1 604 555 0100", "tel:+16045550100"],
  ["☎️ 604 555 0100 📱", "tel:6045550100"],
  ["(office) +1 604 555 0100 (9am to 5pm)", "tel:+16045550100"],
  ["(+1) 604 555 0100 x12 (front desk)", "tel:+16045550100;ext=12"],
  ["+1 604 555 0100 mobile", "tel:+16045550100"],
  ["+1 604 555 0100 24h", "tel:+16045550100"],
  // Several numbers
  ["+1 604 555 0100 / +1 604 555 0101", "tel:+16045550100"],
  ["+1 555 0100 +1 555 0101", "tel:+15550100"],
  ["(604) 555-0100 (604) 555-0101", "tel:6045550100"],
  ["604-555-0100,604-555-0101", "tel:6045550100"],
  ["604 555 0100; 604 555 0101", "tel:6045550100"],
  ["604 555 0100 or 604 555 0101", "tel:6045550100"],
  ["Office 604 555 0100 x12, Cell: 604 555 0101", "tel:6045550100;ext=12"],
  ["604 555 0100 - 604 555 0101", "tel:6045550100"],
  ["+91 22 2778 0100/01", "tel:+912227780100"],
  ["+49 33056/12345-67", "tel:+49330561234567"],
  ["on request", "tel:"],
])("dials the number in %j", (written, address) => {
  expect(phoneUrl(written)).toBe(address);
});

test.each([
  ["tel:+1 604 555 0100 Local 212", "tel:+16045550100;ext=212"],
  ["TEL:+1%20604%20555%200100", "TEL:+16045550100"],
  ["sms:+1 604 555 0100,+1 604 555 0101?body=Hi there", "sms:+16045550100,+16045550101?body=Hi there"],
  ["tel:7042;phone-context=example.com", "tel:7042;phone-context=example.com"],
  ["tel:+1%", "tel:+1"],
  ["https://example.com/tel:1", undefined],
])("dials the link %j", (address, dialed) => {
  expect(dialedUrl(address)).toBe(dialed);
});

test("never turns a number into another kind of URL, and shortens a megabyte of accents quickly", async () => {
  expect(phoneUrl('"><script>?x=1&y\ud800')).toMatch(/^tel:[\w%+;=,*]*$/);
  const accents = "\u0316\u0301".repeat(500_000);
  expect(phoneUrl(accents).length).toBeLessThan(2_000);
  expect(await timeInScans(() => phoneUrl(accents), 50)).toBeLessThan(50);
});
