import { expect, test } from "vitest";
import { sends, type Key } from "../../src/chat/keys";

const press = (over: Partial<Key> = {}): boolean =>
  sends({
    key: "Enter",
    shiftKey: false,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    isComposing: false,
    keyCode: 13,
    ...over,
  });

test("Enter sends, with a modifier it does not", () => {
  expect(press()).toBe(true);
  for (const modifier of ["shiftKey", "ctrlKey", "altKey", "metaKey"]) expect(press({ [modifier]: true })).toBe(false);
  expect(press({ key: "a", keyCode: 65 })).toBe(false);
});

test("Enter that an input method takes does not send", () => {
  expect(press({ isComposing: true })).toBe(false);
  expect(press({ keyCode: 229 })).toBe(false);
});
