#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "vehicles/files/xml/element.hpp"

namespace semirec {

/// Elements in the order of writing. They stay as they are: copies of a list share them, and one
/// that is to change is replaced.
class Elements {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Element;
    using difference_type = std::ptrdiff_t;
    using pointer = const Element*;
    using reference = const Element&;

    Iterator() = default;
    explicit Iterator(const std::shared_ptr<const Element>* at) : at_(at) {}
    reference operator*() const { return **at_; }
    pointer operator->() const { return at_->get(); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    const std::shared_ptr<const Element>* at_ = nullptr;
  };

  Iterator begin() const { return Iterator(elements_.data()); }
  Iterator end() const { return Iterator(elements_.data() + elements_.size()); }
  std::size_t size() const { return elements_.size(); }
  bool empty() const { return elements_.empty(); }
  const Element& operator[](std::size_t k) const { return *elements_[k]; }

  void push_back(Element element) {
    elements_.push_back(std::make_shared<const Element>(std::move(element)));
  }
  void replace(std::size_t k, Element element) {
    elements_[k] = std::make_shared<const Element>(std::move(element));
  }

 private:
  std::vector<std::shared_ptr<const Element>> elements_;
};

}  // namespace semirec
