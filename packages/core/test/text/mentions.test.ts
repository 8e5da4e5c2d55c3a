import { describe, expect, it } from "vitest";
import { EnglishAnalyzer } from "../../src/text/english-analyzer.js";

const analyzer = new EnglishAnalyzer();

function mentionsOf(text: string): string[] {
  return analyzer.analyze(text).mentions.map(({ start, end }) => text.slice(start, end));
}

describe("mentions", () => {
  it.each([
    [
      "Teutberga( died 11 November 875) was a queen of Lotharingia by marriage to Lothair II.",
      ["Teutberga", "Lotharingia", "Lothair II"],
    ],
    ["He left King William's College for the Bank of England.", ["King William's College", "Bank of England"]],
    ["They saw France's President Macron and Hitler's Germany.", ["France", "President Macron", "Hitler", "Germany"]],
    ["She studied at the University of the Arts in London.", ["University of the Arts", "London"]],
    ["Jean-Luc Picard met J. R. R. Tolkien.", ["Jean-Luc Picard", "J. R. R. Tolkien"]],
    ["Films of A. A. Milne and of I. V. Sasi.", ["A. A. Milne", "I. V. Sasi"]],
    ["Vincent van Gogh and Harun al-Rashid liked al-Qaeda.", ["Vincent van Gogh", "Harun al-Rashid", "al-Qaeda"]],
    ["A daughter of Boso the Elder, count of Arles.", ["Boso the Elder", "Arles"]],
    ["In Paris the artists met.", ["Paris"]],
    ["Mr. Smith and Dr. Jones visited St. Paul.", ["Mr. Smith", "Dr. Jones", "St. Paul"]],
    ["George W. Bush joined the U.S. Navy.", ["George W. Bush", "U.S. Navy"]],
    ["Will Smith and Rose Byrne sang.", ["Will Smith", "Rose Byrne"]],
    ["The film was made by Mark Twain in May 1997.", ["Mark Twain", "1997"]],
    ["It began on October 17, 1931, a Monday.", ["1931"]],
    ["Apollo 11 flew in 1969. It cost 1500 dollars, $2000 in all.", ["Apollo 11", "1969", "1500"]],
    ["The War of 1812 ended.", ["War of 1812"]],
    [
      "Which film is older, God'S Gift To Women or Interview With A Hitman?",
      ["God'S Gift To Women", "Interview With A Hitman"],
    ],
    ['He wrote "Gone with the Wind" and said "come here" to Mary.', ["Gone with the Wind", "Mary"]],
    ["Rugby is a sport. Sports are fun.", ["Rugby"]],
    ["He plays. Rugby was new. Many play Rugby.", ["Rugby", "Rugby"]],
    ["Who directed the film In Bruges?", ["In Bruges"]],
    ["Who directed the film I Died A Thousand Times?", ["I Died A Thousand Times"]],
    ["He saw George W. Bush's Texas and the film Knocked Up.", ["George W. Bush", "Texas", "Knocked Up"]],
    ["Son of Hugh of Arles, he left.", ["Hugh of Arles"]],
    ["University of Oxford students left.", ["University of Oxford"]],
    ["AT&T bought AC/DC records in the US.", ["AT&T", "AC/DC", "US"]],
    ["She likes the film Thor: The Conqueror.", ["Thor: The Conqueror"]],
    ["Stratford-upon-Avon and the F-16 are known.", ["Stratford-upon-Avon", "F-16"]],
    ["Queen Elizabeth I met Company A.", ["Queen Elizabeth I", "Company A"]],
    ["WHAT IS THE NAME OF THE DIRECTOR OF BEOWULF", ["BEOWULF"]],
    ["the iPhone and Łukasz Żal", ["iPhone", "Łukasz Żal"]],
    ["Гагарин полетел", ["Гагарин"]],
    ["東京は日本です", []],
    ["I don't think he'll go. They've left. I've seen it.", []],
  ])("%j", (text, expected) => {
    expect(mentionsOf(text)).toEqual(expected);
  });

  it("names the same entity alike, however it is written", () => {
    const names = (text: string) => analyzer.analyze(text).mentions.map(({ name }) => name);
    expect(names("We met J.R.R. Tolkien's son.")).toEqual(["j r r tolkien"]);
    expect(names("We met J. R. R. Tolkien.")).toEqual(["j r r tolkien"]);
    expect(names("We met The Beatles.")).toEqual(names("We met the Beatles’ friends."));
  });
});
