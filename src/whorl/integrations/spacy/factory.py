"""What spaCy finds by Whorl's entry points: the component and its scorer.

spaCy imports this module for every pipeline, with or without Whorl in it, so it imports nothing
else before it is used. spaCy reads the types of options from the signature, which must not be
strings: hence no `from __future__ import annotations`.
"""

from typing import Any, Callable, Literal, Optional

from spacy.language import Language

__all__ = ["make_component", "make_scorer"]


@Language.factory(
    "whorl",
    assigns=[
        "doc._.trees",
        "span._.tree",
        "span._.parse_string",
        "span._.labels",
        "span._.constituents",
        "span._.children",
        "span._.parent",
        "span._.probability",
        "token._.parse_string",
        "token._.labels",
        "token._.parent",
    ],
    requires=["token.is_sent_start"],
    default_config={
        "model": "en",
        "batch_size": 256,
        "tags": "keep",
        "prefix": "",
        "forms": "penn",
        "span_groups": {
            "span": "whorl_span",
            "not_span": "whorl_not_span",
            "no_crossing": "whorl_no_crossing",
            "only": "whorl_only",
            "root": "whorl_root",
            "tag": "whorl_tag",
        },
        "beam": 1,
        "convention": None,
        "device": "cpu",
        "scorer": {"@scorers": "whorl.evalb_scorer.v1"},
    },
    default_score_weights={
        "trees_f": 1.0,
        "trees_p": 0.0,
        "trees_r": 0.0,
        "trees_exact": 0.0,
        "trees_tag_acc": 0.0,
        "trees_errors": None,
        "trees_per_type": None,
    },
)
def make_component(
    nlp: Language,
    name: str,
    model: str,
    batch_size: int,
    tags: Literal["keep", "overwrite", "use"],
    prefix: str,
    forms: Literal["penn", "text"],
    span_groups: dict[str, Optional[str]],
    beam: int,
    convention: Optional[str],
    device: str,
    scorer: Optional[Callable[..., dict[str, Any]]],
) -> Any:
    """Make the component of a pipeline; `WhorlComponent` describes the options."""
    from whorl.integrations.spacy.component import WhorlComponent

    return WhorlComponent(
        name,
        model=model,
        batch_size=batch_size,
        tags=tags,
        prefix=prefix,
        forms=forms,
        span_groups=span_groups,
        beam=beam,
        convention=convention,
        device=device,
        scorer=scorer,
    )


def make_scorer() -> Callable[..., dict[str, Any]]:
    """Return the scorer that `nlp.evaluate` uses."""
    from whorl.integrations.spacy.scoring import score_trees

    return score_trees
