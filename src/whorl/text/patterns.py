r"""The one pattern that cuts a run of text without white space.

It is a list of alternatives; the first that fits is taken, and one always does. Backtracking is
bounded in every alternative: a repeated class excludes what follows it, or the repeat has a bound.
So a run is cut in time linear in its length.
"""

from __future__ import annotations

import re

from whorl.text.characters import HAN, KANA, NOT_WORD, PICTOGRAPH, REGIONAL

__all__ = ["PIECE"]

# A word character: a letter, digit or mark of a script with spaces.
_W = f"[^{NOT_WORD}]"
_ALPHA = rf"(?:(?!\d)[^{NOT_WORD}_])"
_BRACKET_ESCAPE = "-[LR]RB-"
_HYPHEN = f"(?!{_BRACKET_ESCAPE})[-‐‑]"
_TOP_LEVEL = (
    "com|org|net|edu|gov|mil|int|info|io|ai|co|uk|de|fr|eu|ca|au|us|jp|ru|ch|nl|se|no|es|it|in"
    "|me|tv|ly|dev|app"
)
# An address does not end in a mark that ends the sentence around it.
_NO_TRAILING_MARK = r"(?<![.,;:!?'\"`*_~…])"
_PATH = rf"(?:(?!{_BRACKET_ESCAPE})[^\s<>()\"“”「」{HAN}]|\([^\s<>()\"“”]{{0,99}}\))"

_URL = rf"""
    (?: (?:https?|ftps?|sftp|file|ssh|git|wss?)://{_PATH}+ | www\d?\.{_W}{_PATH}+ | doi:10\.{_PATH}+
    | [A-Za-z0-9][-A-Za-z0-9.]{{0,99}}\.(?:{_TOP_LEVEL})(?::\d{{1,5}})?/{_PATH}*
    | (?i:[a-z]:\\){_PATH}+
    ) {_NO_TRAILING_MARK}
"""
_EMAIL = r"[A-Za-z0-9][-\w.+%]{0,63}@[-\w]{1,63}(?:\.[-\w]{1,63}){1,8}(?<![-_])"
_ENTITY = r"""
    &(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,8}); | </?[A-Za-z][A-Za-z0-9]{0,9}/?>
"""
_EMOTICON = rf"""
    ¯\\_\(ツ\)_/¯
    | (?<!{_W})(?:[>]?[:;][-o^']?[)(DPpOo|\\/3*\]\[]{{1,9}} | </?3 | \^_?\^ | -_-)(?!{_W})
"""
_EMOJI_UNIT = (
    rf"[{PICTOGRAPH}](?:[\ufe0e\ufe0f\u20e3]|[\U0001f3fb-\U0001f3ff]|[\U000e0020-\U000e007f])*"
)
_EMOJI = rf"[{REGIONAL}]{{2}}|[0-9\#*]\ufe0f?\u20e3|{_EMOJI_UNIT}(?:\u200d{_EMOJI_UNIT})*"
_MONEY = rf"(?<!{_W})(?:US|[A-Z]|HK|NZ|Can|Aus)\$|\$+"
_TAG = rf"(?<!{_W})[@#]{_ALPHA}{_W}*"
_ELISION = rf"""
    (?<!{_W})'(?:n'|(?:(?i:em|til|till|cause|cuz|cos|bout|round|neath|nother|gainst|kay|nuff
    |s|re|ve|ll|d|m|t|tis|twas|twere|twill)|\d\ds?)(?!{_W}))
"""
_DROPPED = rf"""
    (?<!{_W})(?i:(?:[dljy]|ol|goin|doin|nothin|somethin|anythin|talkin|comin|gettin|lookin|makin
    |takin|tryin|sayin|playin|workin|thinkin|havin|bein|givin|runnin|tellin|livin|feelin|fuckin
    |freakin|sittin|standin|walkin|puttin|mornin|evenin|darlin|dunkin)')(?!{_W})
"""
# `-/-` after the name of a gene.
_GENOTYPE = "[-−–+]/[-−–+]"
# A charge or power in brackets, as in `CD4(+)` and `10(-7)`: superscripts in plain text.
_SUPERSCRIPT = r"\((?:\d?[-−+]|(?<=\d\()[-−+]\d{1,3})\)"
# Part of a formula, as in `Ca(OH)2`.
_GROUP = r"\((?:[A-Z][a-z]?\d{0,2}){1,4}\)(?=\d)"
_JOINT = rf"""
    (?: {_HYPHEN}(?={_W}) | ['′.](?:{_HYPHEN})?(?={_W}) | [/\\](?={_W})
    | (?<={_ALPHA})&(?={_ALPHA}) | (?<=\d):(?=\d)
    | (?<=\d),(?=\d{{3}}(?!\d)|\d{{1,3}}(?:-{_ALPHA}|-?{_GROUP}))
    | [*@](?={_W}) | \+{{1,2}}(?:{_HYPHEN}|/)?(?={_W}) | {_GENOTYPE}/(?={_W})
    | {_SUPERSCRIPT}(?:{_HYPHEN}|/)?(?={_W}) | {_HYPHEN}?{_GROUP} | %{_HYPHEN}(?={_ALPHA})
    )
"""
_WORD = rf"""
    (?: (?<!{_W})(?:[-−]|\+(?=\d)|\.(?!\d*\.\.)|(?<![^(\[{{\"'“‘])/(?={_ALPHA})) )?
    {_W}+ (?:{_JOINT}{_W}+)*
    (?: {_GENOTYPE}(?!{_W}) | {_SUPERSCRIPT} | \++(?!{_W}) | (?!{_BRACKET_ESCAPE})-(?![-{{}}>]) )?
    (?P<period>\.(?!\.))?
"""
_SAME = r"(?P<repeat>[-=*~\#<>|^+.,;:/\\−–—―‐·•])(?P=repeat)+"
_MARKS = r"[!?‽！？]+|…+|<?[-=]{1,9}>|<[-=]{1,9}|[!=>]=|[+−–-]/[+−–-]|°[CF](?![A-Za-z])"
_QUOTE = "``|''|[\"“”„‟«»＂]|[`'‘‛‹›]"

PIECE = re.compile(
    rf"""
    (?P<escape>{_BRACKET_ESCAPE})
    | (?P<url>{_URL})
    | (?P<other>{_EMAIL}|{_ENTITY}|{_EMOTICON}|{_EMOJI}|{_MONEY}|{_TAG})
    | (?P<word>{_ELISION}|{_DROPPED}|{_WORD})
    | (?P<quote>{_QUOTE})
    | (?P<sign>[-=]{{2,9}}>|{_SAME}|{_MARKS}|[{KANA}]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
"""One piece of a run. The name of the matching group is the kind of piece."""
