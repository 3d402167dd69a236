import { plans } from "#app/features/billing/rules.ts";

import booking from "../images/booking.avif";
import code from "../images/code.avif";
import freelancer from "../images/freelancer.avif";
import logo from "../images/logo.avif";
import meeting from "../images/meeting.avif";
import offline from "../images/offline.avif";
import recruiter from "../images/recruiter.avif";
import resume from "../images/resume.avif";
import sales from "../images/sales.avif";
import saved from "../images/saved.avif";
import schedule from "../images/schedule.avif";
import signature from "../images/signature.avif";
import tabs from "../images/tabs.avif";
import tag from "../images/tag.avif";
import themes from "../images/themes.avif";

/** A group of users. `image`: a phone, 600 by 1200; the features' images have the proportions of a card. */
export type Persona = {
  /** Also its fragment: `/#recruiters` opens it. */
  id: string;
  name: string;
  title: string;
  story: string;
  image: string;
  features: PersonaFeature[];
};

/** `textWithoutPlans`: where everyone has Premium. */
export type PersonaFeature = { title: string; text: string; textWithoutPlans?: string; image: string };

/** Addressed to the reader: no quotes, and no claims that can't be verified today. */
export const personas: Persona[] = [
  {
    id: "freelancers",
    name: "Freelancers",
    title: "You bill by the project. Your card keeps up.",
    story:
      "Your work changes with every client. Update your page once, and everyone with your link, code or printed card sees the new version.",
    image: freelancer,
    features: [
      {
        title: "Work and life, on two tabs",
        text: `Up to ${plans.free.maxLinks} links. Clients land on Professional; your playlist stays on Personal.`,
        image: tabs,
      },
      {
        title: "Meetings in one tap",
        text: "A link on your card opens Cal.com, Calendly or any other booking page.",
        image: booking,
      },
      {
        title: "Your resume, ready to read",
        text: "A PDF or Word file on your page, to view or download.",
        image: resume,
      },
      {
        title: "A style of your own",
        text: `${plans.free.themes.length} themes on Free, all ${plans.premium.themes.length} on Premium. Every one is easy to read.`,
        textWithoutPlans: `${plans.premium.themes.length} themes. Every one is easy to read.`,
        image: themes,
      },
    ],
  },
  {
    id: "recruiters",
    name: "Recruiters",
    title: "You meet more people than you can keep track of.",
    story:
      "So let them keep track of you. They scan your code, save your contact with one tap, and browse your open roles on the way home.",
    image: recruiter,
    features: [
      {
        title: "A QR code in your color",
        text: "With our logo or your photo in the middle. Colors too light to scan are rejected.",
        image: code,
      },
      {
        title: "In their contacts",
        text: "Save Contact adds your name, number and photo to any iPhone or Android phone.",
        image: saved,
      },
      {
        title: "Roles that close on time",
        text: "Choose when a link appears and when it disappears. The rest is automatic.",
        image: schedule,
      },
      {
        title: "In every email",
        text: "A signature with your QR code, ready to paste into Gmail, Outlook or Apple Mail.",
        image: signature,
      },
    ],
  },
  {
    id: "sales-teams",
    name: "Sales Teams",
    title: "You’re in the room, on the call, in their inbox.",
    story: "One card works in all three. Everyone on the team has their own, with the company logo on it.",
    image: sales,
    features: [
      {
        title: "Your company’s logo",
        text: "On the card, on screen and in print.",
        image: logo,
      },
      {
        title: "Tap to share",
        text: "Write your link to an NFC sticker with Chrome on Android or any NFC app.",
        image: tag,
      },
      {
        title: "Behind you on every call",
        text: "A background for Zoom, Teams and Meet. People scan your card right off the screen.",
        image: meeting,
      },
      {
        title: "No signal needed",
        text: "A QR code with your contact details, for when neither phone is online.",
        image: offline,
      },
    ],
  },
];
